/** An error of Cognito's without its message, which may quote a user name or what was sent: errors are logged. */
export class UserPoolFailure extends Error {
  override readonly name: string;

  constructor(name: string) {
    super();
    this.name = `UserPool.${name}`;
  }
}
