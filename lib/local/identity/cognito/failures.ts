import { AwsFailure } from '../../service/failure.ts';

/** Cognito's errors. */

export function failure(name: string, message: string, status = 400): AwsFailure {
  return new AwsFailure(name, message, status);
}

export function invalid(message: string): AwsFailure {
  return failure('InvalidParameterException', message);
}

export function notAuthorized(message: string): AwsFailure {
  return failure('NotAuthorizedException', message);
}
