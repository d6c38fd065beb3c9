import { policiesOf, properties, type Template } from './stage.ts';

export type Statement = {
  readonly Effect?: string;
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
};

/** What a function's role allows; of a function that runs as another stack's role, what it adds to that. */
export function statementsOf(template: Template | undefined, id: string): Statement[] {
  const ids = Object.keys(template?.Resources ?? {});
  const policies = [
    ...(ids.includes(`${id}Role`) ? policiesOf(template, `${id}Role`) : []),
    ...(ids.includes(`${id}Policy`) ? [properties(template, `${id}Policy`).PolicyDocument] : []),
  ] as { Statement: Statement[] }[];
  return policies.flatMap(({ Statement }) => Statement);
}

/** A line for each resource with the actions that are missing or too many, however the statements group them. */
export function grantDifferences(found: readonly Statement[], expected: readonly Statement[]): string[] {
  const [has, wanted] = [counted(found), counted(expected)];
  const all = [...new Set([...wanted.keys(), ...has.keys()])].flatMap((permission): [string, string][] => {
    const [action = '', on = ''] = permission.split(onResource);
    const [times, expectedTimes] = [has.get(permission) ?? 0, wanted.get(permission) ?? 0];
    if (times === expectedTimes) return [];
    if (times === 0) return [[`may not * on ${on}`, action]];
    if (expectedTimes === 0) return [[`may * on ${on}, which it does not declare`, action]];
    return [[`may * on ${on}, ${times} times in place of ${expectedTimes}`, action]];
  });
  const alike = Map.groupBy(all, ([line]) => line);
  return [...alike].map(([line, group]) => line.replace('*', group.map(([, action]) => action).join(', ')));
}

const onResource = ' on ';

/** How often each single permission is given: `dynamodb:GetItem on <State:UsersTable.Arn>`. */
function counted(statements: readonly Statement[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const one of statements.flatMap(permissionsIn)) times.set(one, (times.get(one) ?? 0) + 1);
  return times;
}

function permissionsIn({ Effect = 'Allow', Action, Resource, Condition = {} }: Statement): string[] {
  const conditions = Object.entries(Condition).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, values]) => [values].flat().map((value) => `, if ${operator} ${key} ${value}`)),
  );
  // All conditions must hold, and each value of one is enough.
  const ways = conditions.reduce<string[]>((all, each) => all.flatMap((one) => each.map((way) => one + way)), ['']);
  const verb = Effect === 'Allow' ? '' : `${Effect} `;
  return [Action].flat().flatMap((action) => {
    return [Resource].flat().flatMap((on) => ways.map((way) => `${verb}${action}${onResource}${on}${way}`));
  });
}
