import { join } from 'node:path';
import { type AssemblyStack, readTemplate, type Template } from './assembly.ts';
import type { Deployment, Resource, Stack } from './deployment.ts';
import { dynamicReferences } from './dynamic-references.ts';
import { holds, resolve, type Scope, TemplateError } from './intrinsics.ts';
import { attributeOf, reference } from './physical.ts';
import type { Secrets } from './secrets.ts';

/** Deploys stacks on paper: each name can be looked up, nested stacks and other stacks' outputs included. */

const fallback = { region: 'eu-central-1', accountId: '000000000000' };
const nestedType = 'AWS::CloudFormation::Stack';

export function deploy(stacks: readonly AssemblyStack[], secrets: Secrets): Deployment {
  const deployed = new Map<string, Stack>();
  const resources: Resource[] = [];
  const stage = {
    secrets,
    resources,
    stackOutput: (stackName: string, outputName: string) => {
      const stack = deployed.get(stackName);
      if (!stack) throw new Error(`there is no stack ${stackName}`);
      return stack.output(outputName);
    },
    exported: (name: string) => {
      for (const { name: stackName, template } of stacks) {
        const scope = deployed.get(stackName)?.scope;
        for (const [output, { Export }] of Object.entries(template.Outputs ?? {})) {
          if (scope && Export && resolve(Export.Name, scope, `${stackName}.Outputs.${output}.Export`) === name) {
            return stage.stackOutput(stackName, output);
          }
        }
      }
      throw new Error(`no stack exports ${name}`);
    },
  };
  for (const { name, region, account, template, assets } of stacks) {
    const context = { name, path: name, region: region ?? fallback.region, accountId: account ?? fallback.accountId };
    deployed.set(
      name,
      stackOf(context, template, assets, () => undefined, stage),
    );
  }
  const [first] = deployed.values();
  if (!first) throw new TemplateError('the assembly has no stack');
  const outputs = stacks.flatMap(({ name: stack, template }) =>
    Object.keys(template.Outputs ?? {}).map((name) => ({ stack, name, value: String(stage.stackOutput(stack, name)) })),
  );
  return { region: first.region, accountId: first.accountId, resources, outputs };
}

type StackContext = { name: string; path: string; region: string; accountId: string };
type Stage = Pick<Scope, 'exported' | 'stackOutput'> & { secrets: Secrets; resources: Resource[] };

function stackOf(
  context: StackContext,
  template: Template,
  assets: ReadonlyMap<string, string>,
  parameterGiven: (name: string) => unknown,
  stage: Stage,
): Stack {
  const resources = new Map<string, Resource>();
  const nested = new Map<string, Stack>();
  const pseudo: Record<string, unknown> = {
    'AWS::Region': context.region,
    'AWS::AccountId': context.accountId,
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': 'amazonaws.com',
    'AWS::StackName': context.name,
    'AWS::StackId': `arn:aws:cloudformation:${context.region}:${context.accountId}:stack/${context.name}/local`,
    'AWS::NoValue': undefined,
  };
  const found = (logicalId: string): Resource => {
    const resource = resources.get(logicalId);
    if (!resource) throw new Error(`there is no ${logicalId} in ${context.path}`);
    return resource;
  };
  const dynamicReference = dynamicReferences(() => stage.resources, stage.secrets);
  const scope: Scope = {
    ...stage,
    dynamicReference,
    ref: (name) => {
      if (Object.hasOwn(pseudo, name)) return pseudo[name];
      const declared = template.Parameters?.[name];
      if (!declared) return nested.has(name) ? name : reference(found(name));
      const value = parameterGiven(name) ?? declared.Default;
      if (value === undefined) throw new Error(`the parameter ${name} has no value`);
      if (declared.Type.startsWith('AWS::SSM::Parameter::Value')) return dynamicReference(`ssm:${String(value)}`);
      return /^(List<|CommaDelimitedList)/.test(declared.Type) ? String(value).split(',') : value;
    },
    attribute: (logicalId, attribute) => {
      const inner = nested.get(logicalId);
      return inner ? inner.output(attribute.replace(/^Outputs\./, '')) : attributeOf(found(logicalId), attribute);
    },
    condition: (name) => {
      const condition = template.Conditions?.[name];
      if (condition === undefined) throw new Error(`there is no condition ${name}`);
      return holds(condition, scope, `${context.path}.Conditions.${name}`);
    },
    mapping: (map, first, second) => {
      const value = template.Mappings?.[map]?.[first]?.[second];
      if (value === undefined) throw new Error(`there is no ${map}.${first}.${second} in Mappings`);
      return value;
    },
  };
  const stack: Stack = {
    ...context,
    scope,
    assets,
    resources,
    output: (name) => {
      const output = template.Outputs?.[name];
      if (!output) throw new Error(`${context.path} has no output ${name}`);
      return resolve(output.Value, scope, `${context.path}.Outputs.${name}`);
    },
  };
  for (const [logicalId, { Type, Condition, Properties = {}, Metadata = {} }] of Object.entries(
    template.Resources ?? {},
  )) {
    if (Condition && !scope.condition(Condition)) continue;
    const path = `${context.path}/${logicalId}`;
    const resource = { stack, logicalId, type: Type, path, properties: Properties, metadata: Metadata };
    resources.set(logicalId, resource);
    stage.resources.push(resource);
    if (Type !== nestedType) continue;
    const given = (Properties.Parameters ?? {}) as Record<string, unknown>;
    const innerContext = { ...context, path, name: `${context.name}-${logicalId}` };
    const parameter = (name: string) => resolve(given[name], scope, `${path}.Parameters.${name}`);
    nested.set(logicalId, stackOf(innerContext, nestedTemplate(resource), assets, parameter, stage));
  }
  return stack;
}

function nestedTemplate({ path, properties, stack }: Resource): Template {
  const url = resolve(properties.TemplateURL, stack.scope, `${path}.TemplateURL`);
  return readTemplate(assetNamed(stack, String(url).split('/').pop() ?? '', `${path}.TemplateURL`));
}

/** @returns the file or folder whose object key in the bootstrap bucket is `key`. */
export function assetNamed(stack: Stack, key: string, path: string): string {
  const asset = stack.assets.get(key);
  if (!asset) throw new TemplateError(`${path}: the assembly has no asset ${JSON.stringify(key)}`);
  return join(asset);
}
