/** The stage cannot do this step, or an invariant asks for what the stage does not know. */
export class NotReplayable extends Error {}
