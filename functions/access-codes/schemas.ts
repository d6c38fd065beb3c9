/** What a code can unlock. A list until programmes are made by staff: an id that nothing knows would unlock nothing. */
export const programmes = ['insomnia-basic', 'insomnia-self-guided'] as const;
