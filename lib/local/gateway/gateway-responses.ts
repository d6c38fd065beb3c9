import type { ApiModel, GatewayResponseModel } from '../model.ts';

type Default = { readonly status: number; readonly message: string; readonly exception: string };

/** API Gateway's own answers, "Gateway response types for API Gateway"; the exception goes to `x-amzn-ErrorType`. */
const defaults = {
  ACCESS_DENIED: {
    status: 403,
    message: 'User is not authorized to access this resource',
    exception: 'AccessDeniedException',
  },
  // The table says 500; in fact a malformed Lambda answer is 502 ("How do I resolve HTTP 502 errors", re:Post).
  API_CONFIGURATION_ERROR: { status: 502, message: 'Internal server error', exception: 'InternalServerErrorException' },
  AUTHORIZER_CONFIGURATION_ERROR: {
    status: 500,
    message: 'Internal server error',
    exception: 'AuthorizerConfigurationException',
  },
  AUTHORIZER_FAILURE: { status: 500, message: 'Internal server error', exception: 'AuthorizerFailureException' },
  // The table says 504; in fact a failed Lambda function is 502.
  INTEGRATION_FAILURE: { status: 502, message: 'Internal server error', exception: 'InternalServerErrorException' },
  INTEGRATION_TIMEOUT: {
    status: 504,
    message: 'Endpoint request timed out',
    exception: 'InternalServerErrorException',
  },
  INVALID_API_KEY: { status: 403, message: 'Forbidden', exception: 'ForbiddenException' },
  MISSING_AUTHENTICATION_TOKEN: {
    status: 403,
    message: 'Missing Authentication Token',
    exception: 'MissingAuthenticationTokenException',
  },
  REQUEST_TOO_LARGE: { status: 413, message: 'Request Too Long', exception: 'RequestTooLargeException' },
  THROTTLED: { status: 429, message: 'Too Many Requests', exception: 'TooManyRequestsException' },
  UNAUTHORIZED: { status: 401, message: 'Unauthorized', exception: 'UnauthorizedException' },
} as const satisfies Record<string, Default>;

export type Answer = { readonly status: number; readonly headers: readonly string[]; readonly body: string };

export type GatewayResponseType = keyof typeof defaults;

/** The value of `$context.…` in a template. */
type TemplateContext = (name: string) => string | undefined;

export type GatewayResponses = (type: GatewayResponseType, context: TemplateContext) => Answer;

/** The API's answer for each type: its own declaration, else DEFAULT_4XX or DEFAULT_5XX, else AWS's. */
export function compileGatewayResponses(api: ApiModel): GatewayResponses {
  const declared = new Map(api.gatewayResponses.map((response) => [response.responseType, response]));
  const compiled = new Map<GatewayResponseType, (context: TemplateContext) => Answer>();
  for (const type of Object.keys(defaults) as GatewayResponseType[]) {
    const fallback = defaults[type].status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
    compiled.set(type, compile(type, declared.get(type) ?? declared.get(fallback)));
  }
  return (type, context) => (compiled.get(type) ?? compile(type, undefined))(context);
}

function compile(type: GatewayResponseType, model: GatewayResponseModel | undefined) {
  const own: Default = defaults[type];
  const headers = ['x-amzn-ErrorType', own.exception];
  const names = Object.entries(model?.headers ?? {});
  if (!names.some(([name]) => name.toLowerCase() === 'content-type')) headers.push('Content-Type', 'application/json');
  for (const [name, value] of names) headers.push(name, value);
  const template = model?.body ?? '{"message":$context.error.messageString}';
  const status = model?.statusCode ?? own.status;
  const error: Record<string, string> = { 'error.message': own.message, 'error.responseType': type };
  return (context: TemplateContext): Answer => {
    const body = template.includes('$') ? substitute(template, (name) => error[name] ?? context(name)) : template;
    return { status, headers, body };
  };
}

/**
 * "A non-VTL mapping template supporting only simple variable substitutions." `messageString` has its own quotes. Every
 * other value is escaped for its JSON string, because a caller may have sent it.
 */
function substitute(template: string, value: TemplateContext): string {
  return template.replace(
    /\$(?:\{(context|stageVariables)\.([\w.]+)\}|(context|stageVariables)\.([\w.]*\w))/g,
    (...found) => {
      const name = String(found[2] ?? found[4]);
      if ((found[1] ?? found[3]) === 'stageVariables') return '';
      if (name === 'error.messageString') return JSON.stringify(value('error.message') ?? '');
      return JSON.stringify(value(name) ?? '').slice(1, -1);
    },
  );
}
