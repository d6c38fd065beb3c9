/** A Cognito error without its message. Errors are logged, and the message may quote a user name or the request. */
export class UserPoolFailure extends Error {
  override readonly name: string;

  constructor(name: string) {
    super();
    this.name = `UserPool.${name}`;
  }
}
