import { describe, expect, test } from 'vitest';
import { expiryOf } from '../../functions/auth/rules/lifetime.ts';
import { SignInKey } from '../../functions/auth/secrets.ts';
import { mailKinds } from '../../functions/mail/rules/kinds.ts';
import { MailKey } from '../../functions/mail/secrets.ts';
import { deployments, environments } from '../../functions/product.ts';
import { ofType, stage } from './stage.ts';

/** What the replacement of a key rests on (decision 61). */

describe.each(environments)('%s', (environment) => {
  test('no function with a secret has a published version: its variables could not be changed', () => {
    for (const template of Object.values(stage(environment).templates)) {
      const functions = ofType('AWS::Lambda::Function', template);
      for (const { Properties } of Object.values(ofType('AWS::Lambda::Version', template))) {
        const { FunctionName } = Properties as { FunctionName: { Ref: string } };
        const published = functions[FunctionName.Ref];
        expect(published, FunctionName.Ref).toBeDefined();
        expect(JSON.stringify(published), FunctionName.Ref).not.toContain('{{resolve:secretsmanager:');
      }
    }
  });
});

test.each(environments)(
  '%s: each function with a secret may read its variables by the name that it has',
  (environment) => {
    const named = Object.values(stage(environment).templates).flatMap((template) => {
      const functions = Object.values(ofType('AWS::Lambda::Function', template));
      return functions.flatMap(({ Properties: { KmsKeyArn, FunctionName, Role } }) => {
        if (!KmsKeyArn || !FunctionName) return [];
        const [role] = (Role as { 'Fn::GetAtt': [string, string] })['Fn::GetAtt'];
        return [{ FunctionName, policies: JSON.stringify(template.Resources[role]?.Properties.Policies) }];
      });
    });
    expect(named.length).toBeGreaterThan(0);
    for (const { FunctionName, policies } of named) expect(policies).toContain(`:function:${FunctionName}"`);
  },
);

test('a key lives as long as what is made with it', () => {
  const began = '2026-12-01T00:00:00.000Z';
  for (const { sessions } of Object.values(deployments)) {
    const seconds = expiryOf(began, sessions) - Date.parse(began) / 1000;
    expect(seconds / 86_400).toBeLessThanOrEqual(SignInKey.lifeDays ?? 0);
  }
  for (const kind of Object.values(mailKinds)) {
    const seconds = 'code' in kind && kind.code ? kind.code.lifetimeSeconds : 3600;
    expect(seconds / 86_400).toBeLessThan(MailKey.lifeDays ?? 0);
  }
});
