import { readFileSync } from 'node:fs';
import { Template as Assert } from 'aws-cdk-lib/assertions';
import { App, Stack } from 'aws-cdk-lib/core';
import { describe, expect, test } from 'vitest';
import { environments } from '../../functions/product.ts';
import { settings } from '../../functions/settings.ts';
import { addAlarmTopic } from '../../lib/stack/alarm-topic.ts';
import { addBudget } from '../../lib/stack/budget.ts';
import { runbookAnchor } from '../../lib/stack/names.ts';
import { ofType, type Resource, resource, stage, watched } from './stage.ts';

const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');

/** GitHub's anchor of each section about an alarm → the section. */
const sections = new Map(
  runbook
    .split(/^### /m)
    .slice(1)
    .map((text) => [(text.split('\n')[0] ?? '').toLowerCase().replaceAll(' ', '-'), text.split(/^## /m)[0] ?? '']),
);

function alarmsOf(environment: (typeof environments)[number]): [string, Resource][] {
  return Object.values(stage(environment).templates).flatMap((template) =>
    Object.entries(ofType('AWS::CloudWatch::Alarm', template)),
  );
}

test('the runbook has a section for each alarm of any environment, and for no other', () => {
  const alarms = environments.flatMap((environment) => alarmsOf(environment).map(([id]) => id.replace(/Alarm$/, '')));
  expect([...sections.keys()].sort()).toEqual([...new Set(alarms.map(runbookAnchor))].sort());
});

test.each([...sections])('%s says what users notice, where to look, what to do and when it is over', (_, section) => {
  expect(section.match(/^\*\*(.+?)\*\*/gm)).toEqual([
    '**Users notice.**',
    '**First look.**',
    '**To do.**',
    '**It is over when**',
  ]);
});

test.each(environments.filter((each) => !watched.includes(each)))(
  '%s: nobody gets alarms, so there are none',
  (environment) => {
    expect(alarmsOf(environment)).toEqual([]);
    expect(stage(environment).templates).not.toHaveProperty('Dashboard');
  },
);

describe.each(watched)('%s', (environment) => {
  test('each alarm tells the one topic, also when it is over, and leads to its section', () => {
    const alarms = alarmsOf(environment);
    expect(alarms.length).toBeGreaterThan(20);
    for (const [id, { Properties }] of alarms) {
      const { AlarmActions, OKActions, AlarmDescription, ActionsEnabled } = Properties as Record<string, unknown>;
      expect(JSON.stringify(AlarmActions), id).toMatch(/^\[[^,]*("Ref":"(referenceto\w+?)?(State)?Alarms)/);
      expect(OKActions, id).toEqual(AlarmActions);
      expect(ActionsEnabled ?? true, id).toBe(true);
      const anchor = /^(?:\w+, )?\w+: .+\. What to do: docs\/runbook\.md#([\w-]+)$/.exec(String(AlarmDescription))?.[1];
      expect(sections.has(anchor ?? ''), `${id}: ${AlarmDescription}`).toBe(true);
      expect(String(AlarmDescription).length, id).toBeLessThanOrEqual(1024);
    }
  });

  test('the topic takes only the alarms of its environment, under a key that CloudWatch may use for them', () => {
    const { State } = stage(environment).templates;
    const alarms = {
      ArnLike: { 'aws:SourceArn': expect.anything() },
      StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
    };
    const cloudWatch = { Effect: 'Allow', Principal: { Service: 'cloudwatch.amazonaws.com' }, Condition: alarms };
    const policies = resource(State, 'AlarmsPolicy').Properties;
    expect(policies.PolicyDocument).toMatchObject({
      Statement: [
        { ...cloudWatch, Action: 'sns:Publish' },
        { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
      ],
    });
    const { KeyPolicy } = resource(State, 'Key').Properties as { KeyPolicy: { Statement: object[] } };
    expect(KeyPolicy.Statement).toContainEqual(
      expect.objectContaining({ ...cloudWatch, Action: ['kms:Decrypt', 'kms:GenerateDataKey'] }),
    );
    expect(JSON.stringify(KeyPolicy)).toContain(`alarm:MobileHealth-${environment}-*`);
  });
});

test('the addresses of the settings are subscribed to the alarms', () => {
  const stack = new Stack(new App({ analyticsReporting: false, builtinCloudFormationValidation: false }), 'State');
  addAlarmTopic(stack, 'dev', 'key', { ...settings.dev, alarmEmails: ['one@example.com', 'two@example.com'] });
  const template = Assert.fromStack(stack);
  for (const Endpoint of ['one@example.com', 'two@example.com']) {
    template.hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'email',
      Endpoint,
      TopicArn: { Ref: 'Alarms' },
    });
  }
});

test('the same addresses hear of the costs, where a budget is set', () => {
  const budgets = (alarmEmails: string[] | null, monthlyBudget: number | null) => {
    const stack = new Stack(new App({ analyticsReporting: false, builtinCloudFormationValidation: false }), 'State');
    addBudget(stack, { alarmEmails, monthlyBudget });
    return Object.values(Assert.fromStack(stack).findResources('AWS::Budgets::Budget'));
  };
  for (const none of [budgets([], 100), budgets(null, 100), budgets(['one@example.com'], null)])
    expect(none).toEqual([]);
  const Subscribers = [{ SubscriptionType: 'EMAIL', Address: 'one@example.com' }];
  expect(budgets(['one@example.com'], 100)).toMatchObject([
    {
      Properties: {
        Budget: { BudgetLimit: { Amount: 100, Unit: 'USD' }, TimeUnit: 'MONTHLY' },
        NotificationsWithSubscribers: [
          { Notification: { NotificationType: 'ACTUAL', Threshold: 80 }, Subscribers },
          { Notification: { NotificationType: 'FORECASTED', Threshold: 100 }, Subscribers },
        ],
      },
    },
  ]);
});
