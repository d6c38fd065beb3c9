import { dump } from 'js-yaml';
import { expect, test } from 'vitest';
import { parseTemplate } from '../../bin/template-body.ts';
import { stage } from '../stack/stage.ts';

/** Dates, versions and words that YAML could take for something else. */
const odd = {
  Resources: {
    Policy: {
      Type: 'AWS::IAM::Policy',
      Properties: { Version: '2012-10-17', Sid: 'no', Code: '0123', Rate: 1e3, Until: null, Text: 'a: b\n  c # d\n' },
    },
  },
};

test('a template is the same in JSON and in YAML', () => {
  for (const template of [odd, stage('prod').templates.State]) {
    expect(parseTemplate('State', JSON.stringify(template))).toEqual(template);
    expect(parseTemplate('State', `---\n${dump(template)}`)).toEqual(template);
  }
});

test('a date that is not quoted stays the text that it is', () => {
  const template = parseTemplate('State', 'Resources:\n  P:\n    Type: T\n    Properties:\n      V: 2012-10-17\n');
  expect(template.Resources?.P?.Properties).toEqual({ V: '2012-10-17' });
});

test.each(['Resources:\n  P:\n    Type: T\n    Properties:\n      R: !Ref Other\n', 'not a template'])(
  'what the CDK did not write is refused in one sentence: %j',
  (body) => {
    expect(() => parseTemplate('State', body)).toThrow(/^the template of State was not written by the CDK/);
  },
);
