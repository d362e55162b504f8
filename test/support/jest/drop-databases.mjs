import mongoose from 'mongoose';

/** Drops the databases of the run that are left. */
export default async function dropDatabases() {
  const { MONGODB_URI, FEEDMESH_TEST_DATABASES } = process.env;
  if (!MONGODB_URI) return;
  const client = new mongoose.mongo.MongoClient(MONGODB_URI);
  try {
    const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
    const left = databases.filter(({ name }) => name.startsWith(FEEDMESH_TEST_DATABASES));
    for (const { name } of left) await client.db(name).dropDatabase();
  } finally {
    await client.close();
  }
}
