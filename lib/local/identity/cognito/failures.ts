/** An error as Cognito answers it. */
export class CognitoFailure extends Error {
  override readonly name: string;
  readonly status: number;

  constructor(name: string, message: string, status: number) {
    super(message);
    this.name = name;
    this.status = status;
  }
}

export function failure(name: string, message: string, status = 400): CognitoFailure {
  return new CognitoFailure(name, message, status);
}

export function invalid(message: string): CognitoFailure {
  return failure('InvalidParameterException', message);
}

export function notAuthorized(message: string): CognitoFailure {
  return failure('NotAuthorizedException', message);
}
