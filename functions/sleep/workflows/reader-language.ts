import { chooseLanguage } from '../../../lib/runtime/language.ts';
import { type Language, languages } from '../rules/texts.ts';

/** German if the reader prefers it, otherwise English. */
export function readerLanguage(acceptLanguage: string | undefined, wanted?: string): Language {
  return chooseLanguage(languages, 'en', wanted, acceptLanguage) === 'de' ? 'de' : 'en';
}
