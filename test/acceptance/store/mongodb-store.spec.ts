import { openStore } from '#store';
import { mongodbUri, ownDatabase, withDatabase } from './mongodb.ts';
import { describeStore } from './store.acceptance.ts';

describeStore('MongoDB', async (itemBytes) => {
  const database = ownDatabase();
  const store = await openStore({ uri: mongodbUri(), database, itemBytes });
  return {
    store,
    async close() {
      await store.close();
      await withDatabase(database, (mongodb) => mongodb.dropDatabase());
    },
  };
});
