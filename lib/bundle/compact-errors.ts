import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

export const errorModules = /\/@aws-sdk\/client-[a-z0-9-]+\/dist-es\/models\/errors\.js$/;

/**
 * Each client of the SDK brings a class for every error of its service, 300 bytes each and all of one form, and has them
 * all registered. The same classes made by one function take a quarter: 13 KiB less for Cognito, 7 for DynamoDB. A file
 * whose form is another is bundled as it is. It gains 1.5 ms of 39 in write-checkpoint (0.7 to 1.9).
 */
export const compactErrors: Plugin = {
  name: 'compact-errors',
  setup(build) {
    build.onLoad({ filter: errorModules }, ({ path }) => {
      const contents = compact(readFileSync(path, 'utf8'));
      return contents === null ? null : { contents, loader: 'js' };
    });
  },
};

const importForm = /^import \{ \w+ as __BaseException \} from "\.\/\w+";\n/;
const classForm =
  /export class (?<name>\w+) extends __BaseException \{\n {4}static shapeId = (?<shapeId>"[^"]+");\n {4}name = "\k<name>";\n {4}\$fault = (?<fault>"\w+");\n(?<fields>(?: {4}[\w$]+(?: = [^;]+)?;\n)*) {4}constructor\(opts\) \{\n {8}super\(\{\n {12}name: "\k<name>",\n {12}\$fault: \k<fault>,\n {12}\.\.\.opts,\n {8}\}\);\n {8}Object\.setPrototypeOf\(this, \k<name>\.prototype\);\n(?<taken>(?: {8}this\.[\w$]+ = opts\.[\w$]+;\n)*) {4}\}\n\}\n/g;

const define = `
function define(name, $fault, taken = [], fixed = {}) {
  class Defined extends __BaseException {
    static shapeId = namespace + name;
    constructor(opts) {
      super({ name, $fault, ...opts });
      Object.setPrototypeOf(this, Defined.prototype);
      Object.assign(this, { name, $fault }, fixed);
      for (const field of taken) this[field] = opts[field];
    }
  }
  return Defined;
}
`;

/** The same module, shorter; null where it is not of the form that is known. */
export function compact(source: string): string | null {
  const head = importForm.exec(source)?.[0];
  const namespace = /shapeId = "([\w.]+#)/.exec(source)?.[1];
  if (!head || !namespace) return null;
  const classes: string[] = [];
  const rest = source.slice(head.length).replace(classForm, (...match) => {
    const made = written(match.at(-1), namespace);
    if (made) classes.push(made);
    return made ? '' : 'unknown';
  });
  if (rest.trim() !== '') return null;
  return [head, `const namespace = '${namespace}';`, define, ...classes].join('\n');
}

type Parts = { name: string; shapeId: string; fault: string; fields: string; taken: string };

function written({ name, shapeId, fault, fields, taken }: Parts, namespace: string): string | null {
  const own = [...fields.matchAll(/^ {4}([\w$]+)(?: = ([^;]+))?;$/gm)].map(([, field, value]) => ({ field, value }));
  const copied = [...taken.matchAll(/this\.([\w$]+) = opts\.([\w$]+);/g)];
  const open = own.filter(({ value }) => value === undefined).map(({ field }) => field);
  const fixed = own.filter(({ value }) => value !== undefined).map(({ field, value }) => `${field}: ${value}`);
  // A field without a value is one that is taken from what the service sent, under its own name.
  if (copied.some(([, to, from]) => to !== from) || open.join() !== copied.map(([, to]) => to).join()) return null;
  if (shapeId !== `"${namespace}${name}"`) return null;
  const more =
    fixed.length > 0
      ? [JSON.stringify(open), `{ ${fixed.join(', ')} }`]
      : open.length > 0
        ? [JSON.stringify(open)]
        : [];
  return `export const ${name} = /* @__PURE__ */ define(${[`'${name}'`, fault, ...more].join(', ')});`;
}
