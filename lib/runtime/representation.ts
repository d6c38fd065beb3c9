/** An answer in another form than JSON of ours, of those that its route declares as `alternatives`. */
export class Representation {
  readonly mediaType: string;
  readonly body: unknown;

  constructor(mediaType: string, body: unknown) {
    this.mediaType = mediaType;
    this.body = body;
  }
}
