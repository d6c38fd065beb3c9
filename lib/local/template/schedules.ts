import * as z from 'zod/mini';
import type { FunctionModel, ScheduleModel } from '../model.ts';
import type { Deployment } from './deployment.ts';
import { asyncRetries, invokePermissions } from './functions.ts';
import { TemplateError } from './intrinsics.ts';
import { attributeOf } from './physical.ts';
import { ofType, read } from './resources.ts';

const Properties = z.object({
  ScheduleExpression: z.optional(z.string()),
  State: z._default(z.string(), 'ENABLED'),
});

const Targets = z.object({ Targets: z.array(z.object({ Arn: z.string(), Input: z.optional(z.string()) })) });

/**
 * The rules that run at a rate. Rules that wait for events of a bus are left out: events on a bus are kept for
 * inspection and not delivered.
 */
export function schedulesOf(deployment: Deployment, functions: readonly FunctionModel[]): ScheduleModel[] {
  const mayInvoke = invokePermissions(deployment, 'events.amazonaws.com');
  const retriesOf = asyncRetries(deployment);
  return ofType(deployment, 'AWS::Events::Rule').flatMap((resource) => {
    const { ScheduleExpression: expression, State } = read(resource, Properties);
    if (expression === undefined || State === 'DISABLED') return [];
    const everyMs = milliseconds(expression);
    if (everyMs === null) {
      throw new TemplateError(
        `${resource.path}: only a schedule as rate(5 minutes) runs on this machine: ${expression}`,
      );
    }
    const ruleArn = String(attributeOf(resource, 'Arn'));
    return read(resource, Targets).Targets.map(({ Arn, Input = null }, index) => {
      const fn = functions.find(({ arn }) => arn === Arn);
      if (!fn) throw new TemplateError(`${resource.path}: ${Arn} is no function with an operation`);
      return {
        path: `${resource.path}.Targets[${index}]`,
        ruleArn,
        everyMs,
        functionArn: fn.arn,
        operation: fn.operation,
        input: Input,
        retries: retriesOf(fn),
        isRefused: !mayInvoke(fn.arn, ruleArn),
      };
    });
  });
}

const units = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/**
 * The unit is singular for 1 and plural for more; AWS refuses everything else.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rate-expressions.html
 */
function milliseconds(expression: string): number | null {
  const [, value = '', unit = '', plural] = /^rate\(([1-9]\d*) (minute|hour|day)(s?)\)$/.exec(expression) ?? [];
  if (value === '' || (value === '1') === (plural === 's')) return null;
  return Number(value) * units[unit as keyof typeof units];
}
