import { operations } from '../../functions/domains.ts';
import { deployments } from '../../functions/product.ts';
import { settings } from '../../functions/settings.ts';
import type { Application, Environment } from '../../lib/contract/register.ts';
import { existsIn, isMetered, pathParameters } from '../../lib/contract/route.ts';
import { logicalId } from '../../lib/stack/names.ts';
import { apiBody } from './api-body.ts';
import { valueDifferences } from './function-differences.ts';
import { properties, type Template } from './stage.ts';

const integrationKey = 'x-amazon-apigateway-integration';

type Declared = (typeof operations)[number] & { readonly path: string };

export function routesOf(environment: Environment, application: Application): Declared[] {
  const { prefix } = deployments[application];
  return operations
    .filter(({ route }) => existsIn(route, environment, application))
    .map((each) => ({ ...each, path: `${prefix}${each.route.path}` }));
}

/** A line for each way in which an API treats a route otherwise than declared: `agree: security is …`. */
export function routeDifferences(
  environment: Environment,
  application: Application,
  template: Template | undefined,
): string[] {
  const { paths } = apiBody(template);
  return routesOf(environment, application).flatMap((each) => {
    const { [integrationKey]: integration, ...operation } = paths[each.path]?.[each.route.method.toLowerCase()] ?? {};
    if (!integration) return [`${each.id}: the API has no ${each.route.method} ${each.path}`];
    const { uri = '', ...how } = integration;
    const called = /functions\/(<.*>)\/invocations$/.exec(uri)?.[1] ?? uri;
    const name = `${logicalId(each.id)}${settings[environment].canaries.includes(each.id) ? 'Live' : 'Function'}`;
    const isItsOwn = new RegExp(`^<\\w+Functions\\.Outputs\\.\\w+${name}\\w*(\\.Arn)?>$`).test(called);
    return [
      ...valueDifferences(operation, expectedOperation(each)),
      ...valueDifferences(how, { type: 'aws_proxy', httpMethod: 'POST', timeoutInMillis: 9500 }),
      ...(isItsOwn ? [] : [`calls ${called}, and should call ${name}`]),
      ...permissionDifferences(each, called, application, template).map((one) => `permission: ${one}`),
      ...parameterDifferences(each),
    ].map((one) => `${each.id}: ${one}`);
  });
}

/** cdk-nag does not look into a body: this is what its rules about methods would hold. */
function expectedOperation({ id, route, path }: Declared): object {
  const security = [
    ...(route.auth === 'public' ? [] : [{ 'bearer-token': [] }]),
    ...(isMetered(route) ? [{ api_key: [] }] : []),
  ];
  const parameters = path.match(/(?<=\{)\w+(?=\})/g)?.map((name) => {
    return { name, in: 'path', required: true, schema: { type: 'string' } };
  });
  const status = route.status ?? 200;
  return {
    operationId: id,
    ...(parameters && { parameters }),
    responses: { [status]: { description: `${status} response` } },
    ...(security.length > 0 && { security }),
  };
}

/** The function may be called only for its stage, method and path. */
function permissionDifferences(
  { id, route, path }: Declared,
  called: string,
  application: Application,
  template: Template | undefined,
): string[] {
  const permission = `${logicalId(id)}Invocation`;
  if (template?.Resources[permission] === undefined) return [`${permission} is missing`];
  const source = `<Api>/${deployments[application].stage}/${route.method}${path.replace(/\{\w+\}/g, '*')}`;
  return valueDifferences(properties(template, permission), {
    Action: 'lambda:InvokeFunction',
    Principal: 'apigateway.amazonaws.com',
    FunctionName: called,
    SourceArn: `arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>:${source}`,
  });
}

function parameterDifferences({ route }: Declared): string[] {
  const declared = Object.keys(route.params?.shape ?? {}).sort();
  const inPath = pathParameters(route.path).sort();
  return declared.join() === inPath.join() ? [] : [`declares the parameters ${declared}, and its path has ${inPath}`];
}
