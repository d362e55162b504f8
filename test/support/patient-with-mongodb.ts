/** How long a service waits for MongoDB on a busy machine, where no test is about that. */
export const patientWithMongodb = { MONGODB_SELECTION_SECONDS: '60', GATEWAY_MONGODB_SECONDS: '60' };
