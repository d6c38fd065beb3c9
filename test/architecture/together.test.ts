import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSources } from '../../bin/source-imports.ts';

/** Whoever builds a client reads in the document which fields must fit one another: each such rule has a sentence. */

const root = new URL('../../', import.meta.url);
const sources = readSources(root.pathname);

type Operation = { readonly operationId?: string; readonly description?: string };

const { paths } = JSON.parse(readFileSync(new URL('docs/openapi.json', root), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};
const operations = Object.values(paths).flatMap((methods) => Object.values(methods));

/** The routes that answer what a file finds; a handler's is its own. */
const answering: Readonly<Record<string, readonly string[]>> = {
  'functions/agreements/routes.ts': ['draftAgreementVersion'],
  'functions/questionnaire-responses/workflows/dependencies.ts': [
    'completeQuestionnaireResponse',
    'amendQuestionnaireResponse',
  ],
  'functions/questionnaires/stores/imported-definition.ts': ['importQuestionnaire'],
  'functions/sleep/rules/diary-entry.ts': ['putSleepEntry'],
  'functions/sleep/rules/episode.ts': ['postSleepEpisodes'],
  'functions/sleep/rules/naps.ts': ['putSleepEntry'],
  'functions/sleep/window-schemas.ts': ['releaseSleepWindow'],
  'functions/time-machine/routes.ts': ['setClock'],
};

function routesOf(file: string): readonly string[] {
  const [, handler] = /\/handlers\/([a-z-]+)\.ts$/.exec(file) ?? [];
  if (handler === undefined) return answering[file] ?? [];
  return [handler.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
}

/** @returns what is wrong of a file that says `inconsistent` */
function faultsOf(file: string): string[] {
  const routes = routesOf(file);
  if (routes.length === 0) return [`${file}: no route is named that answers it`];
  return routes.flatMap((route) => {
    const found = operations.filter(({ operationId }) => operationId === route);
    if (found.length === 0) return [`${file}: ${route} is no operation`];
    const isSaid = found.every(({ description = '' }) => /(?:^|\s)Together: \S.*\.(?:\s|$)/.test(description));
    return isSaid ? [] : [`${file}: the description of ${route} has no sentence Together:`];
  });
}

test('each rule between fields has a sentence in the description of its route', () => {
  const saying = [...sources].filter(
    ([file, source]) => file.startsWith('functions/') && source.includes("'inconsistent'"),
  );
  expect(saying.length).toBeGreaterThan(10);
  expect(saying.flatMap(([file]) => faultsOf(file))).toEqual([]);
});

test('a route without the sentence is found, and a file of which nobody said where it answers', () => {
  expect(faultsOf('functions/agreements/handlers/list-catalogue.ts')).toEqual([
    expect.stringContaining('listCatalogue has no sentence'),
  ]);
  expect(faultsOf('functions/agreements/rules/new.ts')).toEqual([expect.stringContaining('no route is named')]);
  expect(faultsOf('functions/agreements/handlers/none.ts')).toEqual([expect.stringContaining('is no operation')]);
});
