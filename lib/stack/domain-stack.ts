import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { NestedStack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Operation } from '../../functions/domains.ts';
import type { Application, Environment } from '../contract/deployments.ts';
import { isCollection } from '../contract/route.ts';
import { type Access, type TableName, tableVariable } from '../contract/tables.ts';
import { tablesReached, userPoolVariables } from '../contract/uses.ts';
import { addFunction, type FunctionHome } from './function.ts';
import { useOfKey, useOfTable, useOfUserPool } from './grants.ts';
import { type Identity, mobileApp } from './identity.ts';
import { allowInvocation } from './invocation.ts';
import { functionName, logicalId } from './names.ts';
import type { Statement } from './policy.ts';
import { pushVariables, useOfPushPlatforms } from './push-platforms.ts';
import { sizes } from './settings.ts';
import type { StateStack } from './state-stack.ts';

export type DomainProps = {
  readonly environment: Environment;
  readonly application: Application;
  readonly state: StateStack;
  readonly home: FunctionHome;
  readonly apiId: string;
  readonly operations: readonly Operation[];
};

/** One domain's functions in one application: four resources a route, so that 125 fit into CloudFormation's 500. */
export class DomainStack extends NestedStack {
  /** By operation. */
  readonly functions: ReadonlyMap<Operation, CfnFunction>;

  constructor(scope: Construct, domain: string, props: DomainProps) {
    super(scope, logicalId(domain), { description: `The functions of ${domain}` });
    // The nested stack's name, and so the names of what is in it, then begin with the domain and not with CDK's path.
    this.nestedStackResource?.overrideLogicalId(`${logicalId(domain)}Functions`);
    this.functions = new Map(props.operations.map((operation) => [operation, this.add(operation, props)]));
  }

  private add(operation: Operation, { environment, application, state, home, apiId }: DomainProps): CfnFunction {
    const { route, id } = operation;
    const identity = state.identities[application];
    const tables = tablesReached(route.uses, environment);
    const made = addFunction(this, home, {
      name: functionName(id),
      description: `${route.method} ${route.path}`,
      size: sizes.route,
      environment: {
        ENVIRONMENT: environment,
        APPLICATION: application,
        ...Object.fromEntries(tables.map(([name]) => [tableVariable(name), state.table(name).ref])),
        ...(route.uses?.UserPool && userPoolNames(identity)),
        ...pushVariables(route.uses, environment),
        // CloudFormation reads the secret when it deploys the function, so that the function needs no call at its start.
        ...(isCollection(route) && { CURSOR_KEY: `{{resolve:secretsmanager:${state.cursorKey.ref}:SecretString}}` }),
      },
      statements: [
        ...statementsFor(tables, state),
        ...(route.uses?.UserPool ? useOfUserPool(identity.pool.attrArn, route.uses.UserPool) : []),
        ...useOfPushPlatforms(route.uses, environment),
      ],
    });
    allowInvocation(this, `${logicalId(id)}Invocation`, made, {
      apiId,
      application,
      method: route.method,
      path: route.path,
    });
    return made;
  }
}

function userPoolNames({ pool, clients }: Identity): Record<string, string> {
  const client = clients.get(mobileApp);
  if (!client) throw new Error(`the user pool has no client ${mobileApp}`);
  return { [userPoolVariables.id]: pool.ref, [userPoolVariables.clientId]: client.ref };
}

function statementsFor(tables: readonly [TableName, Access][], state: StateStack): Statement[] {
  if (tables.length === 0) return [];
  const onlyReads = tables.every(([, access]) => access === 'read');
  return [
    ...tables.flatMap(([name, access]) => useOfTable(state.table(name).attrArn, access)),
    useOfKey(state.key.attrArn, onlyReads ? 'read' : 'write'),
  ];
}
