import { PageQuery } from '../contract/collection.ts';
import { isCollection, pathParameters, type Route } from '../contract/route.ts';

/**
 * A method's declared parameters, in API Gateway's form. None but the path's is marked as required: the function
 * validates and says what is wrong, the gateway only documents.
 */
export function requestParameters(route: Route): Record<string, boolean> {
  const names = (schema: { shape: object } | undefined) => Object.keys(schema?.shape ?? {});
  const query = [...names(route.query), ...(isCollection(route) ? names(PageQuery) : [])];
  return {
    ...declared('path', pathParameters(route.path), true),
    ...declared('querystring', query, false),
    ...declared('header', names(route.headers).map(headerCase), false),
  };
}

function declared(place: string, names: readonly string[], required: boolean): Record<string, boolean> {
  return Object.fromEntries(names.map((name) => [`method.request.${place}.${name}`, required]));
}

/** `accept-language` → `Accept-Language`. */
function headerCase(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
}
