import { expect, test } from 'vitest';
import { committedDocument } from '../../bin/generate.ts';
import type { Linter } from '../../bin/linter.ts';
import { loadTool } from '../../bin/tools.ts';
import type { OpenApiDocument } from '../../lib/contract/openapi.ts';

const { lint, generatorRules } = await loadTool<Linter>(new URL('../../bin/tools/openapi/lint.ts', import.meta.url));

/** What the rules of ours find. Those of Redocly want more than these documents have. */
async function generatorProblems(document: OpenApiDocument): Promise<string[]> {
  const found = await lint(document);
  return found.filter((line) => line.startsWith('generators/'));
}

const error = { $ref: '#/components/schemas/Error' };

/** A document of one operation that answers this property and is sent that one. */
function documentOf(parts: {
  answered?: object;
  sent?: object;
  refusal?: object;
  schemas?: Record<string, object>;
}): OpenApiDocument {
  const { answered = { type: 'string' }, sent = { type: 'string' }, refusal = error, schemas = {} } = parts;
  const content = (schema: object) => ({ content: { 'application/json': { schema } } });
  return {
    ...committedDocument(),
    paths: {
      '/things': {
        post: {
          requestBody: content({ $ref: '#/components/schemas/Sent' }),
          responses: { '200': content({ $ref: '#/components/schemas/Answered' }), '400': content(refusal) },
        },
      },
    },
    components: {
      schemas: {
        Error: { type: 'object', properties: { code: { type: 'string' } } },
        Sent: { type: 'object', properties: { sent } },
        Answered: { type: 'object', properties: { answered } },
        ...schemas,
      },
    },
  };
}

const failing: Record<string, OpenApiDocument> = {
  'null-alone': documentOf({ answered: { type: 'null' } }),
  'boolean-constant': documentOf({ sent: { type: 'boolean', const: true } }),
  union: documentOf({ sent: { oneOf: [{ type: 'string' }, { type: 'boolean' }] } }),
  'closed-answer': documentOf({ answered: { type: 'string', enum: ['a', 'b'] } }),
  'unnamed-object': documentOf({ answered: { type: 'array', items: { type: 'object', properties: {} } } }),
  'widest-integer': documentOf({ sent: { type: 'integer', format: 'int64', maximum: Number.MAX_SAFE_INTEGER } }),
  'integer-of-no-size': documentOf({ answered: { type: ['integer', 'null'] } }),
  'one-error': documentOf({ refusal: { type: 'object' } }),
  'model-twice': documentOf({
    schemas: { One: { type: 'object', properties: {} }, Other: { type: 'object', properties: {} } },
  }),
  'model-name': documentOf({ schemas: { 'my-model': { type: 'string' } } }),
};

test('each rule has a document here that breaks it', () => {
  expect(Object.keys(failing).toSorted()).toEqual(generatorRules.toSorted());
});

test.each(Object.entries(failing))('%s', async (name, document) => {
  const found = await generatorProblems(document);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(new RegExp(`^generators/${name} at .+: .+`));
});

test('allowed are a closed request, a nullable text, a nullable reference', async () => {
  const document = documentOf({
    sent: { type: 'string', enum: ['a', 'b'] },
    answered: { anyOf: [{ $ref: '#/components/schemas/Sent' }, { type: 'null' }] },
    schemas: { Sent: { type: 'object', properties: { sent: { type: ['string', 'null'] } } } },
  });
  expect(await generatorProblems(document)).toEqual([]);
  expect(await generatorProblems(documentOf({}))).toEqual([]);
});
