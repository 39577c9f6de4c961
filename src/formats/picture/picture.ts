/** Facts from the structure of a picture, read before any pixel is decoded. */
export interface PictureFacts {
  type: 'png' | 'jpeg' | 'webp' | 'gif'
  /** Pixels, of canvas or frame, whichever is larger. */
  width: number
  height: number
  /** The offset after the picture. */
  end: number
}

/** Reasons to refuse a picture: of an unknown type, broken, animated, or with something else after its end. */
export type PictureError = 'unknown' | 'broken' | 'animated' | 'more'
