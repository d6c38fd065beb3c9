/** An answer in another form than our JSON: one of the `alternatives` that its route declares. */
export class Representation {
  readonly mediaType: string;
  readonly body: unknown;

  constructor(mediaType: string, body: unknown) {
    this.mediaType = mediaType;
    this.body = body;
  }
}
