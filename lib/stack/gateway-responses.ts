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
 * The answers that API Gateway makes itself, type by type (docs/conventions.md):
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
const answered: Record<string, DeclaredError> = {
  // Requests that API Gateway cannot read. It sets no status: on a default, a status would replace those of all other
  // types.
  DEFAULT_4XX: ValidationFailed,
  BAD_REQUEST_BODY: ValidationFailed,
  BAD_REQUEST_PARAMETERS: ValidationFailed,
  UNSUPPORTED_MEDIA_TYPE: UnsupportedContentType,
  UNAUTHORIZED: Unauthenticated,
  ACCESS_DENIED: Forbidden,
  // The rate rule answers with its own body. Another rule, which the account's security team may add, would also refuse a
  // retry. So this answer is no 429, which would invite one.
  WAF_FILTERED: Forbidden,
  RESOURCE_NOT_FOUND: RouteNotFound,
  // AWS answers unknown paths and methods with this type.
  MISSING_AUTHENTICATION_TOKEN: RouteNotFound,
  INVALID_SIGNATURE: RouteNotFound,
  EXPIRED_TOKEN: RouteNotFound,
  REQUEST_TOO_LARGE: PayloadTooLarge,
  THROTTLED: RateLimited,
  QUOTA_EXCEEDED: RateLimited,
  // Also the answer after a function's crash, by default a 502.
  DEFAULT_5XX: Internal,
  API_CONFIGURATION_ERROR: Internal,
  INTEGRATION_FAILURE: Internal,
  // The key comes from the authorizer, never from the caller: a wrong one is our defect.
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
        // A VTL template. The catalogue's sentences contain no `$` and no `#`, which would begin an expression.
        responseTemplates: { 'application/json': JSON.stringify(bodyOf(error)) },
      },
    ]),
  );
}

function bodyOf(error: DeclaredError) {
  return error === ValidationFailed ? errorBody(ValidationFailed, { issues: [] }) : errorBody(error);
}
