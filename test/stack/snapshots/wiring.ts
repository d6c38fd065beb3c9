import type { Json, JsonObject } from './json.ts';
import type { Templates } from './parts.ts';

/**
 * What a reader of a snapshot learns nothing from is left out: what CDK passes from stack to stack under the name of what it is.
 *
 * @param templates as `readable` has them
 */
export function withoutWiring(templates: Templates): Templates {
  return mapped(templates, ({ Parameters = {}, Outputs = {}, Resources = {}, ...others }) => ({
    ...others,
    ...filled({
      Parameters: without(Parameters, (_name, value) => JSON.stringify(value) === '{"Type":"String"}'),
      Outputs: without(Outputs, isNamed),
      Resources: mapped(Resources as JsonObject, plain),
    }),
  })) as Templates;
}

function plain({ Type, Properties, ...attributes }: JsonObject): JsonObject {
  const properties: JsonObject = { ...(Properties as JsonObject) };
  const Parameters = without(properties.Parameters ?? {}, (name, value) => value === `<${name}>`);
  const isNested = Type === 'AWS::CloudFormation::Stack';
  const { Parameters: _passed, ...own } = properties;
  const left = isNested ? { ...own, ...filled({ Parameters }) } : properties;
  return { Type: Type as Json, ...filled({ Properties: left }), ...attributes };
}

function filled(values: Readonly<Record<string, JsonObject>>): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => Object.keys(value).length > 0));
}

/** `MedinfoStaffInviteStaffFunction.Arn` is `<InviteStaffFunction.Arn>`, `MedinfoStaffInviteStaffFunction12AB34CDRef` is `<InviteStaffFunction>`. */
function isNamed(name: string, output: Json): boolean {
  const id = /^{"Value":"<([\w.]+)>"}$/.exec(JSON.stringify(output))?.[1];
  return id !== undefined && name.replace(/[0-9A-F]{8}Ref$/, '').endsWith(id);
}

function without(values: Json, isLeftOut: (name: string, value: Json) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(values as JsonObject).filter(([name, value]) => !isLeftOut(name, value)));
}

function mapped(values: JsonObject, change: (value: JsonObject, name: string) => JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value as JsonObject, name)]));
}
