import type { SaxesTagNS } from 'saxes';

/** What is kept of a start tag: there may be very many. */
export type ElementTag = Pick<SaxesTagNS, 'attributes' | 'ns'>;
