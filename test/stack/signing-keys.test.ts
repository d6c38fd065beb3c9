import { Stack } from 'aws-cdk-lib/core';
import { expect, test } from 'vitest';
import * as productModule from '../../bin/product.ts';
import { settings } from '../../functions/settings.ts';
import { ProductApp } from '../../lib/stack/product-app.ts';
import { addSigningKeys } from '../../lib/stack/signing-keys.ts';

const keysOf = (signingKeyGenerations: readonly string[], signingGeneration: string) => {
  const stack = new Stack(new ProductApp(productModule, { builtinCloudFormationValidation: false }), 'Stack');
  const made = addSigningKeys(stack, 'dev', { ...settings.dev, signingKeyGenerations, signingGeneration });
  const id = (key: { node: { id: string } }) => key.node.id;
  return [...made].map(([name, { current, earlier }]) => [name, id(current), earlier.map(id)]);
};

test('a new generation is known before it signs, and an old one stays known', () => {
  const names = [
    'ReceiptKey',
    'ResearchManifestKey',
    'VouchingKey',
    'RevocationKey',
    'LedgerKey',
    'TombstoneKey',
    'ImportKey',
  ];
  const before = keysOf(['2026', '2027'], '2026');
  const after = keysOf(['2026', '2027'], '2027');
  expect(before.map(([name]) => name).toSorted()).toEqual(names.toSorted());
  for (const name of names) {
    expect(before).toContainEqual([name, `${name}2026`, [`${name}2027`]]);
    expect(after).toContainEqual([name, `${name}2027`, [`${name}2026`]]);
  }
});

test('a generation that nobody makes signs nothing', () => {
  expect(() => keysOf(['2026'], '2027')).toThrow('no generation 2027 of');
});
