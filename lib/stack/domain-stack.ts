import { NestedStack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Operation } from '../contract/declarations.ts';
import type { Application, Environment } from '../contract/register.ts';
import { hasCursors, tablesReachedBy } from '../contract/route.ts';
import { bindingsOf } from './bindings.ts';
import { addCanary } from './canary.ts';
import { addFunction, type FunctionHome } from './function.ts';
import type { Called } from './invocation.ts';
import { functionName, logicalId } from './names.ts';
import { referenceTo } from './secrets.ts';
import { sizes } from './settings.ts';
import type { SharedState } from './shared-state.ts';

export type DomainProps = {
  readonly environment: Environment;
  readonly application: Application;
  readonly state: SharedState;
  readonly home: FunctionHome;
  readonly operations: readonly Operation[];
};

/**
 * One domain's functions in one application: three resources and two outputs for each route, so 80 routes fit. The API's
 * stack gives the permissions to call them, because its definition names the functions.
 */
export class DomainStack extends NestedStack {
  /** By operation: the function or alias that its method calls. */
  readonly functions: ReadonlyMap<Operation, Called>;

  constructor(scope: Construct, domain: string, props: DomainProps) {
    super(scope, logicalId(domain), { description: `The functions of ${domain}` });
    // With this logical id the names of the nested stack and its resources begin with the domain instead of CDK's path.
    this.nestedStackResource?.overrideLogicalId(`${logicalId(domain)}Functions`);
    this.functions = new Map(props.operations.map((operation) => [operation, this.add(operation, props)]));
  }

  private add(operation: Operation, { environment, application, state, home }: DomainProps): Called {
    const { route, id, dataSubject } = operation;
    const bindings = bindingsOf(route.uses, tablesReachedBy(route, dataSubject?.uses ?? [], state.tables), {
      environment,
      application,
      state,
    });
    const made = addFunction(this, home, {
      name: functionName(id),
      description: `${route.method} ${route.path}`,
      size: sizes.route,
      environment: {
        ...bindings.variables,
        ...(hasCursors(route) && { CURSOR_KEY: referenceTo(state.cursorKey) }),
      },
      statements: bindings.statements,
    });
    if (!home.settings.canaries.includes(id)) return made;
    const watch = { ...state.watch, application };
    return addCanary(this, { id: logicalId(id), made, watch, route: `${route.method} ${route.path}` });
  }
}
