import { openStore } from '#store';
import { leaveMongodbDatabase, ownMongodbDatabase } from '../../support/mongodb-database.ts';
import { describeStore } from './store.acceptance.ts';

describeStore('MongoDB', async (itemBytes, compose) => {
  const uri = await ownMongodbDatabase();
  const store = await openStore({ uri, itemBytes, ...(compose && { compose }) });
  return {
    store,
    async close() {
      await store.close();
      await leaveMongodbDatabase(uri);
    },
  };
});
