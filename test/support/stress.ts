/**
 * Whether the stories with faults run in their long form (`npm run stress`): at more moments, with each
 * fault on its own, and in full size.
 */
export const isStress = process.env['STRESS'] === 'yes';
