-- Functions that the data service calls for itself. No schema that is served holds them.
create schema rest;
