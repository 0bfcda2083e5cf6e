int onlyHost() { return WIDTH; }
