import type { Answer, Definition } from '../../functions/questionnaires/rules/definition.ts';
import { instrument, instruments } from './instruments.ts';

/** Every kind of item, condition and text. */
const everything: Definition = {
  questionnaireId: 'every_thing',
  version: '2.1-beta',
  defaultLocale: 'de',
  title: { de: 'Alles', en: 'Everything', 'fr-CH': 'Tout' },
  items: [
    {
      linkId: 'choice',
      type: 'choice',
      text: { de: 'Wahl' },
      required: true,
      options: [
        { value: 'a', text: { de: 'A', en: 'A!' }, score: 0.5 },
        { value: 'b', text: { de: 'B' } },
      ],
    },
    { linkId: 'integer', type: 'integer', text: { de: 'Zahl' }, min: 0, max: 9 },
    { linkId: 'decimal', type: 'decimal', text: { de: 'Zahl' }, min: 0.5 },
    { linkId: 'boolean', type: 'boolean', text: { de: 'Ja?' } },
    { linkId: 'date', type: 'date', text: { de: 'Tag' } },
    { linkId: 'time', type: 'time', text: { de: 'Uhrzeit' } },
    { linkId: 'text', type: 'text', text: { de: 'Text' }, maxLength: 100 },
    {
      linkId: 'group',
      type: 'group',
      text: { de: 'Gruppe' },
      enableBehavior: 'any',
      enableWhen: [
        { linkId: 'choice', operator: '=', choice: 'b' },
        { linkId: 'integer', operator: '>=', integer: 3 },
        { linkId: 'decimal', operator: '<', decimal: 1.5 },
        { linkId: 'boolean', operator: '!=', boolean: true },
        { linkId: 'date', operator: '>', date: '2026-01-01' },
        { linkId: 'time', operator: '<=', time: '22:30' },
        { linkId: 'text', operator: '=', text: 'x' },
        { linkId: 'text', operator: 'exists', boolean: true },
      ],
    },
    { linkId: 'note', type: 'display', groupId: 'group', text: { de: 'Hinweis' } },
    { linkId: 'inner', type: 'group', groupId: 'group', text: { de: 'Innen' } },
    { linkId: 'deep', type: 'boolean', groupId: 'inner', text: { de: 'Tief' } },
    { linkId: 'last', type: 'text', text: { de: 'Schluss' } },
  ],
  scores: [],
  flags: [{ code: 'f', item: 'integer', atLeast: 5 }],
};

/** Those and the seeds. */
export const definitions = [...instruments.map(instrument), everything];

/** One to each item that is answered. */
export function answersTo({ items }: Definition): Answer[] {
  return items.flatMap(({ linkId, type, options = [] }): Answer[] => {
    const values = {
      choice: options.at(-1)?.value,
      integer: 5,
      decimal: 7.5,
      boolean: true,
      date: '2026-11-22',
      time: '22:30',
      text: 'x',
    };
    return type === 'group' || type === 'display' ? [] : [{ linkId, [type]: values[type] }];
  });
}
