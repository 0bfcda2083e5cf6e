#pragma auspex launch(grid : 1)
int twice(int n) { return 2 * n; }
