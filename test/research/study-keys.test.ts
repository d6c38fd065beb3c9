import { describe, expect, test } from 'vitest';
import { environments } from '../../functions/product.ts';
import { stage } from '../stack/stage.ts';

/** Who could name the person behind a pseudonym: read from the templates, not from the declarations that they follow from. */

/** The roles that may read a key. */
const readers = ['MakeResearchExportRole'];

type Statement = { readonly Action?: string | string[]; readonly Resource?: unknown };

/** What is granted on the table, or on all tables; with whose role or policy it is. */
function grantsIn(environment: (typeof environments)[number]) {
  const resources = Object.values(stage(environment).templates).flatMap(({ Resources }) => Object.entries(Resources));
  return resources.flatMap(([id, { Type, Properties }]) => {
    if (!Type.startsWith('AWS::IAM::')) return [];
    return statementsIn(Properties).flatMap(({ Action = [], Resource }) => {
      const isMeant = [Resource].flat().some((each) => /StudyKeys|:table\/\*|^"\*"$/.test(JSON.stringify(each) ?? ''));
      return isMeant ? [Action].flat().map((action) => ({ id, action })) : [];
    });
  });
}

/** Wherever in a role or policy a document is. */
function statementsIn(value: unknown): Statement[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'Statement' in value && Array.isArray(value.Statement) ? (value.Statement as Statement[]) : [];
  return [...own, ...Object.values(value).flatMap(statementsIn)];
}

describe.each(environments)('%s', (environment) => {
  const grants = grantsIn(environment);
  const holders = (action: RegExp) => [
    ...new Set(grants.filter((each) => action.test(each.action)).map(({ id }) => id)),
  ];

  test('only the making of exports reads the keys of studies', () => {
    const reads = /^(\*|dynamodb:(\*|Get.*|BatchGet.*|Query|Scan|PartiQLSelect|Export.*|Restore.*|.*Backup.*))$/;
    expect(holders(reads).toSorted()).toEqual(readers);
  });

  test('the creation of a study makes them; nothing changes or deletes a key', () => {
    expect(holders(/^dynamodb:PutItem$/)).toEqual(['CreateStudyRole']);
    expect(holders(/^dynamodb:(Update|Delete|BatchWrite|PartiQL(Insert|Update|Delete)).*$/)).toEqual([]);
  });
});
