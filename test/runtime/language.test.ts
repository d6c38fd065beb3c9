import { expect, test } from 'vitest';
import { chooseLanguage } from '../../lib/runtime/language.ts';

test.each<[string, string | undefined, string | undefined, string]>([
  ['a wish by name', 'de', 'fr', 'de'],
  ['a wish by name, in another case', 'DE', undefined, 'de'],
  ['a regional wish', 'de-AT', undefined, 'de'],
  ['the header where the wish is not to be had', 'it', 'fr', 'fr'],
  ['the header by its weights', undefined, 'de;q=0.2, fr;q=0.8', 'fr'],
  ['the fallback where nothing fits', 'it', 'es, pt', 'en'],
  ['the fallback for anything', undefined, '*', 'en'],
  ['the fallback for anything else', undefined, 'it, *;q=0.5', 'en'],
  ['the fallback where nothing is said', undefined, undefined, 'en'],
  ['the fallback for garbage', undefined, ';;q=,,=', 'en'],
  ['nothing that was refused', undefined, 'en;q=0, fr;q=0.1', 'fr'],
  ['an English region where only another is there', 'en-GB', undefined, 'en'],
])('%s', (_name, wanted, header, expected) => {
  expect(chooseLanguage(['de', 'fr', 'en'], 'en', wanted, header)).toBe(expected);
});

test.each([
  ['zh-Hans-CN', 'zh-Hans'],
  ['zh-Hant-TW', 'en'],
  ['sr-Latn-RS', 'sr-Latn'],
  ['pt', 'pt-BR'],
  ['pt-PT', 'en'],
])('RFC 4647: %s finds %s', (wanted, expected) => {
  expect(chooseLanguage(['en', 'zh-Hans', 'sr-Latn', 'pt-BR'], 'en', wanted, undefined)).toBe(expected);
  expect(chooseLanguage(['en', 'zh-Hans', 'sr-Latn', 'pt-BR'], 'en', undefined, `${wanted},en;q=0.1`)).toBe(expected);
});
