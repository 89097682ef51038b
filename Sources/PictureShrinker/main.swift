import CVips
import Glibc

// Reads a picture at standard input, and writes it to standard output as a WebP file that fits in a
// square: `PictureShrinker SIDE`. It ends with 65 for a picture that it cannot read.
//
// It is a separate process, because decoders are written in C and anybody can upload pictures: a
// failure or excessive use of resources ends only this process.

guard CommandLine.arguments.count == 2, let side = Int32(CommandLine.arguments[1]),
  (1...1_024).contains(side)
else { exit(EX_USAGE) }
guard ProcessLimits.apply() else { exit(EX_OSERR) }

// Nothing is written to the disk: no pixels, and no compiled code.
setenv("VIPS_DISC_THRESHOLD", "2g", 1)
setenv("VIPS_NOVECTOR", "1", 1)
guard vips_init(CommandLine.arguments[0]) == 0 else { exit(EX_SOFTWARE) }
vips_concurrency_set(1)
// Only these decoders run, whatever else the library can read.
vips_operation_block_set("VipsForeignLoad", 1)
for kind in ["Jpeg", "Png", "Webp", "Nsgif"] {
  vips_operation_block_set("VipsForeignLoad\(kind)", 0)
}
guard let source = vips_source_new_from_descriptor(STDIN_FILENO),
  let target = vips_target_new_to_descriptor(STDOUT_FILENO)
else { exit(EX_OSERR) }
guard let picture = vips_small_picture(source, side), vips_write_picture(picture, target) == 0
else { exit(EX_DATAERR) }
exit(EX_OK)
