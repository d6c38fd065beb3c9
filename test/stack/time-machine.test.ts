import { describe, expect, test } from 'vitest';
import { applications } from '../../functions/product.ts';
import type { Environment } from '../../lib/contract/register.ts';
import { logicalId } from '../../lib/stack/names.ts';
import { apiOperation } from './api-body.ts';
import { ofType, policiesOf, properties, stage } from './stage.ts';

/** The time machine is in dev and staging; in prod there is no clock but the real one. */

const methods = ['GET', 'PUT', 'DELETE'];
const pathOf = { sleepcare: '/v1/time-machine', medinfo: '/time-machine' } as const;

/** Which keep real time: the times of a ticket are those of its flag, a token ends when it ends, and an account is accepted when it is. */
const ofRealTime = /^Medinfo AuthorizerFunction$|OpenUrgentTicketsFunction$|ActivateMemberFunction$/;

describe.each(['dev', 'staging'] as const satisfies Environment[])('%s', (environment) => {
  const { templates } = stage(environment);

  test.each(applications)('%s: has its routes, which need a token and a key', (application) => {
    for (const method of methods) {
      const { security } = apiOperation(templates[logicalId(application)], method, pathOf[application]);
      expect(security).toEqual([{ 'bearer-token': [] }, { api_key: [] }]);
    }
    const functions = Object.keys(ofType('AWS::Lambda::Function', templates[logicalId(application, 'time-machine')]));
    expect(functions.sort()).toEqual(['ReadClockFunction', 'ResetClockFunction', 'SetClockFunction']);
  });

  test('every function with a table reads the clock, and two write it', () => {
    const writers: string[] = [];
    for (const [where, template] of Object.entries(templates)) {
      // Delivery knows only leases and ages, and those keep real time.
      if (where === 'SleepcareConsumers') continue;
      for (const id of Object.keys(ofType('AWS::Lambda::Function', template))) {
        if (ofRealTime.test(`${where} ${id}`)) continue;
        const { Variables } = properties(template, id).Environment as { Variables: Record<string, string> };
        const usesTables = Object.keys(Variables).some((name) => name.endsWith('_TABLE'));
        expect(Variables.CLOCK_TABLE, `${where} ${id}`).toBe(usesTables ? `<State:ClockTable>` : undefined);
        const statements = JSON.stringify(policiesOf(template, id.replace(/Function$/, 'Role')))
          .split('"Effect"')
          .filter((statement) => statement.includes('ClockTable'));
        expect(statements, `${where} ${id}`).toHaveLength(usesTables ? 1 : 0);
        if (statements.join().includes('UpdateItem')) writers.push(`${where} ${id}`);
      }
    }
    expect(writers).toEqual([
      'MedinfoTimeMachine ResetClockFunction',
      'MedinfoTimeMachine SetClockFunction',
      'SleepcareTimeMachine ResetClockFunction',
      'SleepcareTimeMachine SetClockFunction',
    ]);
  });
});

test('prod has no route, function, table, variable or grant of it', () => {
  const prod = JSON.stringify(stage('prod').templates);
  expect(prod).not.toMatch(/time-?machine|ClockTable|CLOCK_TABLE|(Read|Set|Reset)Clock/i);
  expect(JSON.stringify(stage('dev').templates)).toMatch(/ClockTable/);
});
