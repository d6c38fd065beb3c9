import { expect, test } from 'vitest';
import { userPool } from '../../lib/contract/user-pool-uses.ts';
import { poolOwner } from '../../lib/contract/uses.ts';

test('a function uses the pool of its own application, or of the one that all its uses name', () => {
  expect(poolOwner(undefined, 'medinfo')).toBe('medinfo');
  expect(poolOwner([userPool('end-sessions'), userPool('read')], 'medinfo')).toBe('medinfo');
  expect(poolOwner([userPool('end-sessions', 'sleepcare'), userPool('read', 'sleepcare')], 'medinfo')).toBe(
    'sleepcare',
  );
  expect(poolOwner([userPool('end-sessions'), userPool('read', 'medinfo')], 'medinfo')).toBe('medinfo');
});

test('it never uses the pools of two applications', () => {
  expect(() => poolOwner([userPool('end-sessions'), userPool('read', 'sleepcare')], 'medinfo')).toThrow(
    'medinfo and sleepcare',
  );
});
