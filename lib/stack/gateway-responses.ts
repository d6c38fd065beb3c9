import { type ErrorCode, errorBody, errorHeaders, errors } from '../contract/errors.ts';
import { answerHeaders, constants } from './cors.ts';

/**
 * What API Gateway answers by itself, type by type (contract section 2):
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
const answered: Record<string, ErrorCode> = {
  // Requests that API Gateway cannot read. No status: on a default it would replace that of every other type.
  DEFAULT_4XX: 'VALIDATION_FAILED',
  BAD_REQUEST_BODY: 'VALIDATION_FAILED',
  BAD_REQUEST_PARAMETERS: 'VALIDATION_FAILED',
  UNSUPPORTED_MEDIA_TYPE: 'UNSUPPORTED_CONTENT_TYPE',
  UNAUTHORIZED: 'UNAUTHENTICATED',
  ACCESS_DENIED: 'FORBIDDEN',
  // The rate rule answers with a body of its own; what else a firewall turns away (a rule that the account's security
  // team adds), it would turn away again, so that no 429 invites a retry.
  WAF_FILTERED: 'FORBIDDEN',
  RESOURCE_NOT_FOUND: 'ROUTE_NOT_FOUND',
  // So AWS speaks of a path or method that does not exist.
  MISSING_AUTHENTICATION_TOKEN: 'ROUTE_NOT_FOUND',
  INVALID_SIGNATURE: 'ROUTE_NOT_FOUND',
  EXPIRED_TOKEN: 'ROUTE_NOT_FOUND',
  REQUEST_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  THROTTLED: 'RATE_LIMITED',
  QUOTA_EXCEEDED: 'RATE_LIMITED',
  // Also what a function that crashed is answered with, by default a 502.
  DEFAULT_5XX: 'INTERNAL',
  API_CONFIGURATION_ERROR: 'INTERNAL',
  INTEGRATION_FAILURE: 'INTERNAL',
  // The authorizer names the key, never the caller: a wrong one is our defect.
  INVALID_API_KEY: 'INTERNAL',
  AUTHORIZER_FAILURE: 'UNAVAILABLE',
  AUTHORIZER_CONFIGURATION_ERROR: 'UNAVAILABLE',
  INTEGRATION_TIMEOUT: 'TIMEOUT',
};

/** By type, as the API's definition has them. */
export function gatewayResponses() {
  return Object.fromEntries(
    Object.entries(answered).map(([responseType, code]) => [
      responseType,
      {
        ...(responseType !== 'DEFAULT_4XX' && { statusCode: String(errors[code].status) }),
        responseParameters: constants('gatewayresponse.header', {
          'Content-Type': 'application/json; charset=utf-8',
          ...answerHeaders,
          ...errorHeaders(code),
        }),
        // A template in VTL; the catalogue's sentences hold neither `$` nor `#`, which would begin an expression.
        responseTemplates: { 'application/json': JSON.stringify(bodyOf(code)) },
      },
    ]),
  );
}

function bodyOf(code: ErrorCode) {
  return code === 'VALIDATION_FAILED' ? errorBody(code, { issues: [] }) : errorBody(code);
}
