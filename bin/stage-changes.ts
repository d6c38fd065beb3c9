import { type AssemblyStack, readTemplate, type Template } from '../lib/local/index.ts';
import { changesOf, type ResourceChange } from './template-changes.ts';

/** The changes that a deployment would make to all stacks of a stage, including nested ones. */

/** The deployed state, read from CloudFormation. */
export type Deployed = {
  /** Takes a stack's name or id; null if there is no such stack. */
  readonly template: (stack: string) => Promise<Template | null>;
  /** The id of the nested stack with this logical id; null if there is none yet. */
  readonly nested: (stack: string, logicalId: string) => Promise<string | null>;
};

export type StackChanges = {
  readonly stack: string;
  readonly isNew: boolean;
  readonly changes: readonly ResourceChange[];
  /** The values that other stacks read, by logical id. */
  readonly shared: ReadonlySet<string>;
  /** Routes that come and go: `GET /users/me`. Changed ones are among the changes of the API's body. */
  readonly routes: readonly { readonly name: string; readonly isAdded: boolean }[];
  /** Of the State stack, where an earlier release is to follow a later one. */
  readonly unreadable?: { readonly deployed: number; readonly own: number } | undefined;
};

const nestedType = 'AWS::CloudFormation::Stack';

export async function stageChanges(stacks: readonly AssemblyStack[], deployed: Deployed): Promise<StackChanges[]> {
  const found: StackChanges[] = [];
  for (const { name, template, assets } of stacks) {
    const before = await deployed.template(name);
    const changes = changesOf(before, template);
    // A nested stack's template is named by its content. Its changes are listed in full below.
    found.push({
      stack: name,
      isNew: !before,
      shared: sharedBy(template),
      routes: routeChanges(before ?? {}, template),
      unreadable: unreadableRows(before, template),
      changes: changes.filter(({ type, action }) => type !== nestedType || action === 'remove'),
    });
    for (const [logicalId, resource] of Object.entries(template.Resources ?? {})) {
      if (resource.Type !== nestedType) continue;
      const id = before && (await deployed.nested(name, logicalId));
      const inner = id ? await deployed.template(id) : null;
      const next = readTemplate(fileOf(resource.Properties?.TemplateURL, assets));
      found.push({
        stack: `${name}/${logicalId}`,
        isNew: !inner,
        changes: changesOf(inner, next),
        shared: new Set(),
        routes: [],
      });
    }
    found.push(...(await removedWith(name, before, template, deployed)));
  }
  return found;
}

/** If a nested stack is deleted, everything in it is deleted. */
async function removedWith(
  stack: string,
  before: Template | null,
  { Resources = {} }: Template,
  deployed: Deployed,
): Promise<StackChanges[]> {
  const found: StackChanges[] = [];
  for (const [logicalId, { Type }] of Object.entries(before?.Resources ?? {})) {
    if (Type !== nestedType || Resources[logicalId]?.Type === nestedType) continue;
    const id = await deployed.nested(stack, logicalId);
    const inner = id ? await deployed.template(id) : null;
    found.push({
      stack: `${stack}/${logicalId}`,
      isNew: false,
      changes: changesOf(inner, {}),
      shared: new Set(),
      routes: [],
    });
  }
  return found;
}

/** `Product.rowFormat` of both; undefined where this release reads what the deployed one has written. */
function unreadableRows(before: Template | null, after: Template): StackChanges['unreadable'] {
  const [deployed = 0, own = 0] = [before, after].map((each) => Number(each?.Outputs?.RowFormat?.Value ?? 0));
  return deployed > own ? { deployed, own } : undefined;
}

/** Of an API that stays; a new one has all its routes. */
function routeChanges(before: Template, after: Template): StackChanges['routes'] {
  const [was, is] = [routesIn(before), routesIn(after)];
  if (was.size === 0) return [];
  const added = [...is].filter((name) => !was.has(name)).map((name) => ({ name, isAdded: true }));
  const removed = [...was].filter((name) => !is.has(name)).map((name) => ({ name, isAdded: false }));
  return [...added, ...removed];
}

function routesIn({ Resources = {} }: Template): Set<string> {
  const paths = Object.values(Resources).flatMap(({ Type, Properties }) =>
    Type === 'AWS::ApiGateway::RestApi' ? Object.entries(Object(Object(Properties?.Body).paths) as object) : [],
  );
  return new Set(
    paths.flatMap(([path, methods]) =>
      Object.keys(Object(methods)).flatMap((method) =>
        ['get', 'post', 'put', 'delete', 'patch'].includes(method) ? [`${method.toUpperCase()} ${path}`] : [],
      ),
    ),
  );
}

/** Found by the parameters that the stack writes to Parameter Store. */
function sharedBy({ Resources = {} }: Template): Set<string> {
  const values = Object.values(Resources).flatMap(({ Type, Properties }) =>
    Type === 'AWS::SSM::Parameter' ? [JSON.stringify(Properties?.Value ?? null)] : [],
  );
  return new Set(Object.keys(Resources).filter((id) => values.some((value) => value.includes(`"${id}"`))));
}

/** The URL is an `Fn::Join` or `Fn::Sub` whose text ends in the asset's key. */
function fileOf(url: unknown, assets: ReadonlyMap<string, string>): string {
  const text = JSON.stringify(url);
  const file = [...assets].find(([key]) => text.includes(`/${key}`))?.[1];
  if (!file) throw new Error(`no asset of the assembly is the nested template ${text}`);
  return file;
}

/** Changes that need a confirmation. */
export function losses(stage: readonly StackChanges[]): { readonly stack: string; readonly change: ResourceChange }[] {
  return stage.flatMap(({ stack, changes }) =>
    changes.filter(({ loses }) => loses !== null).map((change) => ({ stack, change })),
  );
}

/**
 * Resources that will get another name or ARN and that other stacks read (lib/stack/shared-state.ts). The templates of these stacks
 * do not change. A deployment of all stacks updates them as well; a deployment of only the State stack does not.
 */
export function followersOf(stage: readonly StackChanges[]): string[] {
  return stage.flatMap(({ changes, shared }) =>
    changes.flatMap(({ action, logicalId }) =>
      (action === 'replace' || action === 'may-replace') && shared.has(logicalId) ? [logicalId] : [],
    ),
  );
}

/** What AWS keeps as it was: a change of the API, or of a function with a canary, makes a new one in its place. */
const snapshots = ['AWS::ApiGateway::Deployment', 'AWS::Lambda::Version'];

/** One line for each stack. Below it: routes that come and go, replacements, removals, and resources that lose their protection. */
export function summaryOf(stage: readonly StackChanges[]): string[] {
  return stage.flatMap(({ stack, isNew, changes: all, routes }) => {
    const isReplaced = ({ action, type }: ResourceChange) =>
      snapshots.includes(type) && (action === 'remove' || action === 'add') && !isNew;
    const [changes, replaced] = [all.filter((each) => !isReplaced(each)), all.filter(isReplaced)];
    const published = replaced.filter(({ action }) => action === 'add').length;
    const counts = Object.entries(Object.groupBy(changes, ({ action }) => action)).map(
      ([action, group]) => `${group?.length} ${words[action as ResourceChange['action']]}`,
    );
    const lines = changes
      .filter(({ action, loses }) => loses !== null || (action !== 'add' && action !== 'update'))
      .map(lineOf);
    if (published > 0) counts.push(`${published} published anew, as with every change`);
    const named = routes.map(({ name, isAdded }) => `    route ${isAdded ? 'added' : 'removed'}: ${name}`);
    return [`${stack}: ${isNew ? 'new, ' : ''}${counts.join(', ') || 'no change'}`, ...named, ...lines];
  });
}

const words: Record<ResourceChange['action'], string> = {
  add: 'added',
  update: 'updated in place',
  'may-replace': 'perhaps replaced',
  replace: 'replaced',
  remove: 'removed',
};

function lineOf({ logicalId, type, action, properties, loses }: ResourceChange): string {
  const why = properties.length > 0 ? ` for ${properties.join(', ')}` : '';
  const loss = action === 'update' ? `, which loses ${loses}` : `, with ${loses}`;
  return `  ${loses === null ? ' ' : '!'} ${words[action]}${why}: ${logicalId} (${type})${loses === null ? '' : loss}`;
}
