"""What is painted in a part of a page."""

import base64

READ = """async ([url, ...more]) => {
  const picture = new Image();
  picture.src = url;
  await picture.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: picture.width, height: picture.height });
  const context = canvas.getContext("2d");
  context.drawImage(picture, 0, 0);
  const { data } = context.getImageData(0, 0, picture.width, picture.height);
  return (FUNCTION)(data, ...more);
}"""


def read_pixels(page, box, function, *more):
    """
    What a function in JavaScript returns for the pixels of a part of the page: four numbers from 0 to 255
    for each.
    """
    picture = base64.b64encode(page.screenshot(clip=box)).decode()
    blank = page.context.new_page()
    result = blank.evaluate(
        READ.replace("FUNCTION", function), [f"data:image/png;base64,{picture}", *more])
    blank.close()
    return result
