import 'reflect-metadata';

// How long built services wait for MongoDB on a busy machine, where no test is about that.
process.env['MONGODB_SELECTION_SECONDS'] ??= '60';
process.env['GATEWAY_MONGODB_SECONDS'] ??= '60';
