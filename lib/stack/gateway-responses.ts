import {
  Forbidden,
  Internal,
  PayloadTooLarge,
  RateLimited,
  RouteNotFound,
  Timeout,
  Unauthenticated,
  Unavailable,
  UnsupportedContentType,
  ValidationFailed,
} from '../contract/common-errors.ts';
import { type DeclaredError, errorBody, errorHeaders } from '../contract/errors.ts';
import { answerHeaders, constants } from './cors.ts';

/**
 * What API Gateway answers by itself, type by type (docs/conventions.md):
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
const answered: Record<string, DeclaredError> = {
  // Requests that API Gateway cannot read. No status: on a default it would replace that of every other type.
  DEFAULT_4XX: ValidationFailed,
  BAD_REQUEST_BODY: ValidationFailed,
  BAD_REQUEST_PARAMETERS: ValidationFailed,
  UNSUPPORTED_MEDIA_TYPE: UnsupportedContentType,
  UNAUTHORIZED: Unauthenticated,
  ACCESS_DENIED: Forbidden,
  // The rate rule answers with a body of its own; what else a firewall turns away (a rule that the account's security
  // team adds), it would turn away again, so that no 429 invites a retry.
  WAF_FILTERED: Forbidden,
  RESOURCE_NOT_FOUND: RouteNotFound,
  // So AWS speaks of a path or method that does not exist.
  MISSING_AUTHENTICATION_TOKEN: RouteNotFound,
  INVALID_SIGNATURE: RouteNotFound,
  EXPIRED_TOKEN: RouteNotFound,
  REQUEST_TOO_LARGE: PayloadTooLarge,
  THROTTLED: RateLimited,
  QUOTA_EXCEEDED: RateLimited,
  // Also what a function that crashed is answered with, by default a 502.
  DEFAULT_5XX: Internal,
  API_CONFIGURATION_ERROR: Internal,
  INTEGRATION_FAILURE: Internal,
  // The authorizer names the key, never the caller: a wrong one is our defect.
  INVALID_API_KEY: Internal,
  AUTHORIZER_FAILURE: Unavailable,
  AUTHORIZER_CONFIGURATION_ERROR: Unavailable,
  INTEGRATION_TIMEOUT: Timeout,
};

/** By type, as the API's definition has them. */
export function gatewayResponses() {
  return Object.fromEntries(
    Object.entries(answered).map(([responseType, error]) => [
      responseType,
      {
        ...(responseType !== 'DEFAULT_4XX' && { statusCode: String(error.status) }),
        responseParameters: constants('gatewayresponse.header', {
          'Content-Type': 'application/json; charset=utf-8',
          ...answerHeaders,
          ...errorHeaders(error),
        }),
        // A template in VTL; the catalogue's sentences hold neither `$` nor `#`, which would begin an expression.
        responseTemplates: { 'application/json': JSON.stringify(bodyOf(error)) },
      },
    ]),
  );
}

function bodyOf(error: DeclaredError) {
  return error === ValidationFailed ? errorBody(ValidationFailed, { issues: [] }) : errorBody(error);
}
