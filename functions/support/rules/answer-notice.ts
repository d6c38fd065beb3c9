/** What the agent board says when the support has answered. Pure. It says nothing of the ticket's text. */

type Text = { readonly title: string; readonly body: string };

const texts: Readonly<Record<'de' | 'en', Text>> = {
  de: {
    title: 'Antwort vom Support',
    body: 'Der Support hat Ihnen geantwortet. Sie finden die Antwort bei Ihren Anfragen.',
  },
  en: {
    title: 'Answer from the support',
    body: 'The support has answered you. You find the answer with your requests.',
  },
};

export function answerNotice(locale: string | null): Text {
  return texts[locale?.toLowerCase().split('-')[0] === 'de' ? 'de' : 'en'];
}
