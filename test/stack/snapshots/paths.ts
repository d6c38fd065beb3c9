import { isArray, isObject, type Json } from './json.ts';

/**
 * The way to a value: `Policies[0].PolicyDocument."a key with. dots"`. An item of a list is named by its index; by what it is, where
 * each item has a name: `@DependsOn["Account"]`; and a new one by the item before it: `@DependsOn[behind "Account"]`.
 */
export type Step = string | number | { readonly item: string } | { readonly behind: string };
export type Path = readonly Step[];

const quoted = '"(?:[^"\\\\]|\\\\.)*"';
const bareKey = /^(?!none$)[^\s.[\]"|+#-][^\s.[\]"]*(?<!:)$/;
const steps = new RegExp(
  `\\[(?<index>\\d+)\\]|\\[(?<item>${quoted})\\]|\\[behind (?<behind>${quoted})\\]|(?<key>${quoted}|[^\\s.[\\]"]+)`,
  'g',
);

/** The source of a regular expression. */
export const pathForm = `(?:${quoted}|\\[behind |[^\\s"])*?`;

export function pathText(path: Path): string {
  return path.reduce<string>(withStep, '');
}

/** @param path the text of a path */
export function withStep(path: string, step: Step): string {
  return path !== '' && typeof step === 'string' ? `${path}.${stepText(step)}` : path + stepText(step);
}

function stepText(step: Step): string {
  if (typeof step === 'string') return keyText(step);
  if (typeof step === 'number') return `[${step}]`;
  return 'item' in step ? `[${JSON.stringify(step.item)}]` : `[behind ${JSON.stringify(step.behind)}]`;
}

function keyText(key: string): string {
  const text = keys.get(key) ?? (bareKey.test(key) ? key : JSON.stringify(key));
  keys.set(key, text);
  return text;
}

export function pathOf(text: string): Path {
  const path = paths.get(text) ?? read(text);
  paths.set(text, path);
  return path;
}

/** The same few keys and paths stand in templates thousands of times. */
const keys = new Map<string, string>();
const paths = new Map<string, Path>();

function read(text: string): Path {
  return [...text.matchAll(steps)].map(({ groups: { index, item, behind, key = '' } = {} }): Step => {
    if (index !== undefined) return Number(index);
    if (item !== undefined) return { item: JSON.parse(item) as string };
    if (behind !== undefined) return { behind: JSON.parse(behind) as string };
    return key.startsWith('"') ? (JSON.parse(key) as string) : key;
  });
}

export function valueAt(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((found, step) => {
    if (isObject(found)) return typeof step === 'string' ? found[step] : undefined;
    return isArray(found) ? found[indexOf(found, step)] : undefined;
  }, value);
}

/** Where a step leads in a list. */
export function indexOf(list: readonly Json[], step: Step): number {
  if (typeof step === 'number') return step;
  if (typeof step === 'string') return Number.NaN;
  const at = list.findIndex((each) => nameOf(each) === ('item' in step ? step.item : step.behind));
  return 'item' in step ? at : at + 1;
}

/** Whether its items can be called by their names. */
export function isNamed(list: readonly Json[]): boolean {
  return !list.some((each) => nameOf(each) === undefined) && new Set(list.map(nameOf)).size === list.length;
}

/** A text is its own name, a dashboard's widget has its title, and a widget's metric its label. */
export function nameOf(item: Json): string | undefined {
  if (typeof item === 'string') return item;
  const properties = isObject(item) ? item.properties : undefined;
  const last = isArray(item) ? item.at(-1) : undefined;
  const name = isObject(properties) ? properties.title : isObject(last) ? last.label : undefined;
  return typeof name === 'string' ? name : undefined;
}
