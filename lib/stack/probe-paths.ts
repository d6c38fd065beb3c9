import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import type { Operation, ProductModule } from '../contract/declarations.ts';
import type { Product } from '../contract/product.ts';
import type { Application, Environment } from '../contract/register.ts';
import { existsIn, isMetered, type Route } from '../contract/route.ts';
import type { GatewayRoute } from './gateway-body.ts';

/** Which routes the probe's API has, and which of them its checks call. */

/** The application that has a second factor in its pool, and routes for tools. @throws an Error where none is for staff */
export function probed({ applications }: Product) {
  const found = Object.entries(applications).find(([, { isForStaff }]) => isForStaff);
  if (!found) throw new Error('the probe needs an application for staff');
  const [application, { stage, prefix }] = found;
  return { application: application as Application, stage, prefix };
}

const isPublic = ({ auth }: Route) => auth === 'public';

/**
 * One operation of each form, with the shortest path. A form is: the method, whether it has a parameter, whether it is
 * metered, and whether a GET is public.
 */
function formsIn({ product, declarations }: ProductModule, environment: Environment): Operation[] {
  const { application } = probed(product);
  const depthOf = ({ route }: Operation) => route.path.split('/').length;
  const here = declarations.operations
    .filter(({ route }) => existsIn(route, environment, application))
    .toSorted((one, other) => depthOf(one) - depthOf(other));
  const forms = Map.groupBy(here, ({ route }) =>
    [route.method, route.path.includes('{'), route.method === 'GET' && isPublic(route), isMetered(route)].join(),
  );
  return [...forms.values()].flatMap(([first]) => first ?? []);
}

export function routesOf(module: ProductModule, called: CfnFunction, environment: Environment): GatewayRoute[] {
  const { prefix } = probed(module.product);
  return formsIn(module, environment).map(({ id, route }) => ({ id, route, path: `${prefix}${route.path}`, called }));
}

/** The paths that the checks call: each is a `GET` that takes a token. */
export function probePaths(module: ProductModule, environment: Environment): ProbePaths {
  const of = (what: string, isIt: (route: Route) => boolean): string => {
    const found = formsIn(module, environment).find(
      ({ route }) => route.method === 'GET' && !isPublic(route) && isIt(route),
    );
    if (!found) throw new Error(`there is no route that ${what}`);
    return found.route.path.replace(/\{\w+\}/g, 'probe');
  };
  const withParameter = (route: Route) => route.path.includes('{') && !isMetered(route);
  return {
    metered: of('is metered', isMetered),
    unmetered: of('is not metered', (route) => !isMetered(route) && !route.path.includes('{')),
    withSlash: of('has a parameter', withParameter).replace('probe', 'a%2Fb'),
  };
}

export type ProbePaths = { readonly metered: string; readonly unmetered: string; readonly withSlash: string };
