/** Milliseconds after which a wait counts as hanging. No healthy run comes near it, however busy the machine is. */
export const hangMs = 300_000;
