import { expect, test } from 'vitest';
import { networkOf } from '../../functions/auth/rules/network.ts';

test.each([
  ['192.0.2.17', '192.0.2.0/24'],
  ['255.255.255.255', '255.255.255.0/24'],
  ['::ffff:192.0.2.17', '192.0.2.0/24'],
  ['2001:db8:17:4711::1', '2001:db8:17::/48'],
  ['2001:0DB8:0017:4711:1:2:3:4', '2001:db8:17::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['::1', '0:0:0::/48'],
  ['64:ff9b::192.0.2.33', '64:ff9b:0::/48'],
  ['256.0.2.17', null],
  ['192.0.2', null],
  ['2001:db8', null],
  ['1::2::3', null],
  ['1:2:3:4:5:6:7:8:9', null],
  ['2001:db8:xyz::', null],
  ['', null],
])('of %s is kept %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
