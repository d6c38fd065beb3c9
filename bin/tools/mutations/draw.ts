import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { type Drawer, type Mutation, mutationOf } from '../../mutations/patches.ts';
import { readSources } from '../../source-imports.ts';

/** Draws mutations at random over the code of lib/ and functions/: the same seed on the same code draws the same. */

/** A change of a source: its text from `start` to `end` becomes `text`. */
type Edit = { readonly start: number; readonly end: number; readonly text: string };
type Site = Edit & { readonly file: string };

/** Texts, explanations and rows of the local stage; of what is generated, its source counts. */
const undrawn =
  /-generated\.ts$|\/generated\/|\/seed\/|texts(-\w+)?\.ts$|-guide\.ts$|\/reference\.ts$|-about\.ts$|-style\.ts$/;

const { SyntaxKind } = ts;
const others: ReadonlyMap<string, string> = new Map(
  [
    ['<', '<='],
    ['>', '>='],
    ['&&', '||'],
    ['+', '-'],
    ['===', '!=='],
  ].flatMap(([one = '', other = '']) => [
    [one, other],
    [other, one],
  ]),
);

/** What can be done wrong, by its name; each is drawn as often as the others, however many places it has. */
const operators: Readonly<Record<string, (node: ts.Node) => Edit[]>> = {
  'negated-condition': (node) => {
    if (ts.isIfStatement(node)) return [around(node.expression, '!(', ')')];
    return ts.isConditionalExpression(node) ? [around(node.condition, '!(', ')')] : [];
  },
  'other-operator': (node) => {
    const other = ts.isBinaryExpression(node) ? others.get(node.operatorToken.getText()) : undefined;
    return ts.isBinaryExpression(node) && other ? [instead(node.operatorToken, other)] : [];
  },
  'dropped-call': (node) => {
    if (!ts.isExpressionStatement(node)) return [];
    const { expression } = node;
    return ts.isCallExpression(ts.isAwaitExpression(expression) ? expression.expression : expression)
      ? [instead(node, '{}')]
      : [];
  },
  'dropped-element': (node) => (ts.isArrayLiteralExpression(node) ? without(node.elements) : []),
  'dropped-property': (node) => (ts.isObjectLiteralExpression(node) ? without(node.properties) : []),
  'early-return': (node) => {
    if (ts.isReturnStatement(node) && node.expression)
      return ['null', 'true', 'false', '[]', 'undefined']
        .filter((text) => text !== node.expression?.getText())
        .map((text) => instead(node, `return ${text};`));
    const [first] = ts.isBlock(node) && ts.isFunctionLike(node.parent) ? node.statements : [];
    return first && !ts.isReturnStatement(first) ? [around(first, 'return; ', '')] : [];
  },
  'off-by-one': (node) => {
    if (!ts.isNumericLiteral(node)) return [];
    return [1, -1].map((step) => instead(node, String(Number(node.text) + step)));
  },
  'swapped-boolean': (node) => {
    if (node.kind === SyntaxKind.TrueKeyword) return [instead(node, 'false')];
    return node.kind === SyntaxKind.FalseKeyword ? [instead(node, 'true')] : [];
  },
  'removed-await': (node) => (ts.isAwaitExpression(node) ? [instead(node, node.expression.getText())] : []),
};

function instead(node: ts.Node, text: string): Edit {
  return { start: node.getStart(), end: node.getEnd(), text };
}

function around(node: ts.Node, before: string, after: string): Edit {
  return instead(node, `${before}${node.getText()}${after}`);
}

/** Each of a list is left out, with the comma before or behind it. */
function without(list: ts.NodeArray<ts.Node>): Edit[] {
  return list.map((node, index) => {
    const [before, after] = [list[index - 1], list[index + 1]];
    if (after) return { start: node.getStart(), end: after.getStart(), text: '' };
    return { start: before ? before.getEnd() : node.getStart(), end: node.getEnd(), text: '' };
  });
}

function sitesIn(file: string, source: string): [operator: string, site: Site][] {
  const found: [string, Site][] = [];
  const visit = (node: ts.Node): void => {
    // Types, and what another module is called, are nothing that runs.
    if (ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    for (const [operator, editsOf] of Object.entries(operators))
      for (const edit of editsOf(node)) found.push([operator, { file, ...edit }]);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return found;
}

/** Numbers from 0 up to 1 (mulberry32): the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What does not compile, or changes nothing, is drawn again. */
export const drawn: Drawer['drawn'] = async (scratch, { number, seed }) => {
  const files = [...readSources(scratch.folder)].filter(([file]) => !file.startsWith('bin/') && !undrawn.test(file));
  const sites = Map.groupBy(
    files.flatMap(([file, source]) => sitesIn(file, source)),
    ([operator]) => operator,
  );
  const random = randomOf(seed);
  const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const mutations = new Map<string, Mutation>();
  while (mutations.size < number) {
    const operator = oneOf(Object.keys(operators));
    const [, { file, start, end, text }] = oneOf(sites.get(operator) ?? []);
    const path = join(scratch.folder, file);
    const source = readFileSync(path, 'utf8');
    writeFileSync(path, `${source.slice(0, start)}${text}${source.slice(end)}`);
    const diff = scratch.git(['diff', '--no-color']);
    const line = source.slice(0, start).split('\n').length;
    const count = String(mutations.size + 1).padStart(2, '0');
    const name = `drawn/seed-${seed}-${count}-${operator}`;
    const head = `Drawn: ${operator} in ${file}, line ${line}.`;
    const isNew = ![...mutations.values()].some(({ patch }) => patch.endsWith(diff));
    if (diff !== '' && isNew && (await scratch.compiles())) mutations.set(name, mutationOf(name, `${head}\n\n${diff}`));
    scratch.reset();
  }
  return [...mutations.values()];
};
