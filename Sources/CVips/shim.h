#include <vips/vips.h>

// Swift cannot call functions with any number of arguments.

// A picture that fits in a square, and is turned as its camera says. Never a larger one, and never a
// part of one: version 8.14 passes `fail_on` to the decoder in this way only.
static inline VipsImage *vips_small_picture(VipsSource *source, int side) {
  VipsImage *picture = NULL;
  vips_thumbnail_source(source, &picture, side, "height", side, "size", VIPS_SIZE_DOWN,
    "export_profile", "srgb", "option_string", "[fail_on=error]", NULL);
  return picture;
}

// Writes a WebP file, in the colors of sRGB. Returns 0, or -1 if the picture cannot be read.
static inline int vips_write_picture(VipsImage *picture, VipsTarget *target) {
  return vips_webpsave_target(picture, target, "Q", 80, "profile", "none", NULL);
}
